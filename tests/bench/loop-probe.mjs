// Loaded into a program by `--import`: reports on a loopback port how long its event loop stood still since it was last asked.
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { cpuUsage, env } from 'node:process';
import { isMainThread } from 'node:worker_threads';

const portFile = env['HLID_BENCH_PROBE'];
if (isMainThread && portFile !== undefined) {
  const cpuMs = () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1000;
  };
  let longestMs = 0;
  let [wall, cpu] = [performance.now(), cpuMs()];
  const turn = () => {
    const [wallNow, cpuNow] = [performance.now(), cpuMs()];
    // While other programs have the processor, this one does not work: that is no pause of the program.
    longestMs = Math.max(longestMs, Math.min(wallNow - wall, cpuNow - cpu));
    [wall, cpu] = [wallNow, cpuNow];
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
