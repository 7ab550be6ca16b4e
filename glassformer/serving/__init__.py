"""The process that serves: connections that are slow, too many or never read; the end; several processes on one port."""
