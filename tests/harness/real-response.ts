// A cloud replaces the global `Response` by one that cannot carry the mark "already sent". Separate programs
// load the mark before they start a server; in a process of many test files it must be loaded before all of
// them.
import '@hono/node-server/utils/response';
