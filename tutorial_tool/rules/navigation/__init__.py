"""Rules about links, anchors, redirects, numbers and the order of steps."""
