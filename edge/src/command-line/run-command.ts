import { isFault } from '@hlid/protocol/fault';
import { SOFTWARE } from '../software.ts';
import { cameraParse } from './camera-parse.ts';
import { readCommand } from './command.ts';
import { findCommand } from './command-list.ts';
import { configCheck } from './config-check.ts';
import { HELP_TEXT, helpOf, usageOf } from './help-text.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Does what the arguments say. Resolves when that is done: the daemon's end, for the daemon. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const reading = readCommand(words);
  if (!reading.ok) {
    const meant = reading.about && findCommand(reading.about);
    terminal.complain(reading.mistake);
    terminal.complain(meant ? `${usageOf(meant)}\n(--help says more)` : 'Usage: --help names every command');
    return 2;
  }
  const { command } = reading;
  try {
    switch (command.kind) {
      case 'help':
        terminal.print(command.about === null ? HELP_TEXT.trimEnd() : helpOf(command.about));
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
      case 'try-again': {
        const { tryAgain } = await import('./try-again.ts');
        return await tryAgain(command, terminal);
      }
      case 'terminal-status': {
        const { terminalStatus } = await import('./terminal-tools.ts');
        return await terminalStatus(command, terminal);
      }
      case 'terminal-diagnose': {
        const { terminalDiagnose } = await import('./terminal-tools.ts');
        return await terminalDiagnose(command, terminal);
      }
      case 'terminal-decode': {
        const { terminalDecode } = await import('./terminal-decode.ts');
        return terminalDecode(command, terminal);
      }
      case 'payment-list': {
        const { paymentList } = await import('./payment-tools.ts');
        return await paymentList(command, terminal);
      }
      case 'payment-found': {
        const { paymentFound } = await import('./payment-tools.ts');
        return await paymentFound(command, terminal);
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
        return configCheck(command, terminal);
      case 'status': {
        const { status } = await import('./status.ts');
        return await status(command, terminal);
      }
      case 'enrol': {
        const { enrol } = await import('./enrol.ts');
        return await enrol(command, terminal);
      }
      case 'daemon': {
        // Tools need not load what the daemon is made of.
        const { runDaemon } = await import('./run-daemon.ts');
        return await runDaemon(terminal.environment);
      }
      default:
        return command satisfies never;
    }
  } catch (error) {
    if (!isFault(error, 'config-invalid')) throw error;
    terminal.complain(error.message);
    return 2;
  }
}
