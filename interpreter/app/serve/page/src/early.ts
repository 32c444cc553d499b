// Opens the connection before the rest of the page is read: a slow network takes as long for it as for the page.
declare global {
  interface Window { early?: WebSocket }
}
try {
  if (/=[0-9a-f]{32}/.test(location.hash) || sessionStorage.getItem("token")) window.early = new WebSocket(`ws://${location.host}/table`);
} catch {
  // Then it is opened later.
}
export {};
