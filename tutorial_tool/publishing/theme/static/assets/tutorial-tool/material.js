/* Material opens its drawer and its search with labels, which the keyboard cannot reach: buttons stand in for them. */
(function () {
  "use strict";

  function mend(toggle, name) {
    var box = document.getElementById(toggle);
    var label = document.querySelector("header label.md-header__button[for=" + toggle + "]");
    if (!box || !label || !name) return;
    var button = document.createElement("button");
    button.type = "button";
    button.className = label.className;
    button.setAttribute("for", toggle); /* the theme's style asks for it */
    button.setAttribute("aria-label", name);
    button.append.apply(button, Array.prototype.slice.call(label.childNodes));
    label.replaceWith(button);
    button.addEventListener("click", function () {
      box.click();
    });
    function tell() {
      button.setAttribute("aria-expanded", String(box.checked));
    }
    box.addEventListener("change", tell);
    tell();
    document.addEventListener("keydown", function (event) {
      if (event.key !== "Escape" || !box.checked || toggle !== "__drawer") return;
      box.click();
      button.focus();
    });
  }

  /* The buttons of a block of code stand in navigations without a name, each of them one landmark more. */
  function unmark() {
    document.querySelectorAll("nav.md-code__nav:not([role])").forEach(function (place) {
      place.setAttribute("role", "none");
    });
  }

  function start() {
    var navigation = document.querySelector(".md-nav--primary");
    var search = document.querySelector(".md-search__input");
    mend("__drawer", navigation && navigation.getAttribute("aria-label"));
    mend("__search", search && search.getAttribute("aria-label"));
    unmark();
    var article = document.querySelector(".md-content");
    if (article) new MutationObserver(unmark).observe(article, { childList: true, subtree: true });
  }

  if (window.document$ && window.document$.subscribe) window.document$.subscribe(start);
  else start();
})();
