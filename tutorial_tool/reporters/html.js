const form = document.getElementById("filters");
const rows = [...document.querySelectorAll("tbody tr")];
function matches(row, wanted) {
  return wanted.every(([name, value]) => {
    if (!value) return true;
    if (name === "text") return row.textContent.toLowerCase().includes(value.toLowerCase());
    if (name === "owner") return row.dataset.owner.split(" ").includes(value) || row.dataset.owner === value;
    return row.dataset[name] === value;
  });
}
function filter() {
  const wanted = [...new FormData(form)];
  let shown = 0;
  for (const row of rows) {
    row.hidden = !matches(row, wanted);
    shown += !row.hidden;
  }
  document.getElementById("count").textContent = `${shown.toLocaleString("en")} shown`;
  history.replaceState(null, "", "#" + new URLSearchParams(wanted.filter(([, value]) => value)));
}
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
  if (form.elements[name]) form.elements[name].value = value;
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
