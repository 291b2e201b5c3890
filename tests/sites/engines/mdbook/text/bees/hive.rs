// The hive of the book.
fn open() {}

fn look() {}
