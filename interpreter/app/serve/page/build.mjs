// Bundles the page into dist: one file with its style and script, the licences of what it is made of, and what the server allows it: its
// own style and script alone, by their digests. CMake puts all that into the program.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const shared = { bundle: true, minify: true, target: "es2020", charset: "utf8", legalComments: "none", write: false };
const text_of = async (options) => (await build({ ...shared, ...options })).outputFiles[0].text.trim();
const script = await text_of({ entryPoints: ["src/page.tsx"], jsx: "automatic", jsxImportSource: "preact" });
const early = await text_of({ entryPoints: ["src/early.ts"], format: "iife" });
const style = await text_of({ entryPoints: ["src/page.css"] });
const page = readFileSync("src/index.html", "utf8").replace("/* early */", () => early).replace("/* style */", () => style).replace("/* script */", () => script);
writeFileSync("dist/index.html", page);
const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
writeFileSync("dist/policy.txt", `script-src ${digest(early)} ${digest(script)}; style-src ${digest(style)}\n`);
const used = ["preact", "@preact/signals", "@preact/signals-core"];
const text = used.map((name) => {
  const of = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${name} ${of.version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync("dist/licences.txt", text.join("\n----\n\n"));
