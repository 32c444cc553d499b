// Bundles the page into dist: what CMake puts into the program, with the licences of what it is made of.
import { build } from "esbuild";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";

await build({
  entryPoints: ["src/page.tsx"],
  bundle: true,
  minify: true,
  target: "es2020",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
  outfile: "dist/page.js",
});
for (const name of ["index.html", "page.css"]) copyFileSync(`src/${name}`, `dist/${name}`);
const used = ["preact", "@preact/signals", "@preact/signals-core"];
const text = used.map((name) => {
  const of = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${name} ${of.version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync("dist/licences.txt", text.join("\n----\n\n"));
