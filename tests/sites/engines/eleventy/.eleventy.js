module.exports = () => ({ dir: { input: "pages", output: "out" } });
