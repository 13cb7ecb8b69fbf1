// Loaded into each program that demo and tests start: it stops, as at a SIGTERM, when its parent process ends in any
// way. Otherwise a killed test run would leave daemons behind that hold ports and data.
const STOP_WITHIN_MS = 4000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_WITHIN_MS).unref();
});
process.channel?.unref();
