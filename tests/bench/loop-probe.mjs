// Loaded into a program by `--import`: says on a loopback port how long its event loop stood still since it was last asked.
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { env, hrtime } from 'node:process';
import { isMainThread } from 'node:worker_threads';

const portFile = env['HLID_BENCH_PROBE'];
if (isMainThread && portFile !== undefined) {
  let longestMs = 0;
  let last = hrtime.bigint();
  const turn = () => {
    const now = hrtime.bigint();
    longestMs = Math.max(longestMs, Number(now - last) / 1e6);
    last = now;
    setImmediate(turn);
  };
  turn();
  const server = http.createServer((_request, response) => {
    response.end(String(longestMs));
    longestMs = 0;
  });
  server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
  server.unref();
}
