/* Material opens its drawer and its search with labels, which the keyboard cannot reach: let it. */
(function () {
  "use strict";

  function mend(toggle, name) {
    var box = document.getElementById(toggle);
    var label = document.querySelector("header .md-header__button[for=" + toggle + "]");
    if (!box || !label || !name || label.tabIndex === 0) return;
    label.tabIndex = 0;
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", name);
    label.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation(); /* some versions click on Enter themselves */
      label.click();
    });
    function tell() {
      label.setAttribute("aria-expanded", String(box.checked));
    }
    box.addEventListener("change", tell);
    tell();
    document.addEventListener("keydown", function (event) {
      if (event.key !== "Escape" || !box.checked || toggle !== "__drawer") return;
      box.click();
      label.focus();
    });
  }

  function start() {
    var navigation = document.querySelector(".md-nav--primary");
    var search = document.querySelector(".md-search__input");
    mend("__drawer", navigation && navigation.getAttribute("aria-label"));
    mend("__search", search && search.getAttribute("aria-label"));
  }

  if (window.document$ && window.document$.subscribe) window.document$.subscribe(start);
  else start();
})();
