"""Tables in the browser: people, sockets, pages."""
