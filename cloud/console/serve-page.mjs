// `npm run console`: the console with hot reload, against a running cloud (HLID_CONSOLE_CLOUD, else localhost:8080).
import { createServer } from 'vite';

const configFile = new URL('vite.config.ts', import.meta.url).pathname;
const server = await createServer({ configFile });
await server.listen();
server.printUrls();
console.log(
  `  Calls go to ${process.env.HLID_CONSOLE_CLOUD || 'http://localhost:8080'} (HLID_CONSOLE_CLOUD).`,
);
