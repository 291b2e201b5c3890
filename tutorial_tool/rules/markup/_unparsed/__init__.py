"""What `unparsed-markup` asks: markup of other engines, by kind."""
