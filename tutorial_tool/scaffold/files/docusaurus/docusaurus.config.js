// Pages are what `tutorial-tool render` writes into rendered/docs.
module.exports = {
  title: «title_json»,
  url: "https://example.com", // where the site is published
  baseUrl: "/",
  trailingSlash: true,
  staticDirectories: ["static", "rendered/static"],
  stylesheets: ["/assets/tutorial-tool/tutorial.css", "/assets/tutorial-tool/content.css"],
  scripts: ["tutorial.js", "content.js"].map((name) => ({ src: `/assets/tutorial-tool/${name}`, defer: true })),
  onBrokenLinks: "throw",
  presets: [["classic", { blog: false, docs: { path: "rendered/docs", routeBasePath: "/" } }]],
};
