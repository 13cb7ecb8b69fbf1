// Loaded into the programs that the stage starts: when the process that started them is gone, however it went, they
// stop too, as at a SIGTERM. Otherwise a killed test run would leave daemons behind that hold ports and data.
const STOP_WITHIN_MS = 4000;

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_WITHIN_MS).unref();
});
process.channel?.unref();
