import { isFault } from '@hlid/protocol/fault';
import { SOFTWARE } from '../software.ts';
import { cameraParse } from './camera-parse.ts';
import { readCommand } from './command.ts';
import { configCheck } from './config-check.ts';
import { HELP_TEXT } from './help-text.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Does what the arguments say. Resolves when that is done: the daemon's end, for the daemon. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const reading = readCommand(words);
  if (!reading.ok) {
    terminal.complain(`${reading.mistake}\n\n${HELP_TEXT}`);
    return 2;
  }
  const { command } = reading;
  try {
    switch (command.kind) {
      case 'help':
        terminal.print(HELP_TEXT.trimEnd());
        return 0;
      case 'version':
        terminal.print(SOFTWARE);
        return 0;
      case 'camera-parse':
        return await cameraParse(command, terminal);
      case 'camera-discover': {
        const { cameraDiscover } = await import('./camera-discover.ts');
        return await cameraDiscover(command, terminal);
      }
      case 'camera-snapshot': {
        const { cameraSnapshot } = await import('./camera-snapshot.ts');
        return await cameraSnapshot(command, terminal);
      }
      case 'camera-watch': {
        const { cameraWatch } = await import('./camera-watch.ts');
        return await cameraWatch(command, terminal);
      }
      case 'gate-list': {
        const { gateList } = await import('./gate-tools.ts');
        return await gateList(command, terminal);
      }
      case 'gate-move': {
        const { gateMove } = await import('./gate-tools.ts');
        return await gateMove(command, terminal);
      }
      case 'config-check':
        return configCheck(terminal);
      case 'daemon': {
        // Tools need not load what the daemon is made of.
        const { runDaemon } = await import('./run-daemon.ts');
        return await runDaemon(terminal.environment);
      }
    }
  } catch (error) {
    if (!isFault(error, 'config-invalid')) throw error;
    terminal.complain(error.message);
    return 2;
  }
}
