open()
close()
