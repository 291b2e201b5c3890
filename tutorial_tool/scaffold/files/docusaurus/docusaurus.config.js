// Pages are what `tutorial-tool render` writes into rendered/docs.
module.exports = {
  title: «title_json»,
  url: "https://example.com", // where the site is published
  baseUrl: "/",
  onBrokenLinks: "throw",
  presets: [["classic", { blog: false, docs: { path: "rendered/docs", routeBasePath: "/" } }]],
};
