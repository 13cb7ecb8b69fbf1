// A cloud replaces the global `Response` by one that cannot carry the mark "already sent". Programs of their own load
// the mark before they start a server; in a process of many test files it has to be loaded before all of them.
import '@hono/node-server/utils/response';
