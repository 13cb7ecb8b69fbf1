import { isFault } from '@hlid/protocol/fault';
import { SOFTWARE } from '../software.ts';
import { cameraParse } from './camera-parse.ts';
import { readCommand } from './command.ts';
import { findCommand } from './command-list.ts';
import { configCheck } from './config-check.ts';
import { HELP_TEXT, helpOf, RUN, usageOf } from './help-text.ts';
import type { ExitCode, Shell } from './shell.ts';

/** Does what the arguments say. Resolves when that is done: the daemon's end, for the daemon. */
export async function runCommand(words: readonly string[], shell: Shell): Promise<ExitCode> {
  const reading = readCommand(words);
  if (!reading.ok) {
    const meant = reading.about && findCommand(reading.about);
    shell.complain(reading.mistake);
    shell.complain(meant ? `${usageOf(meant)}\n(--help says more)` : `(${RUN} --help names every command)`);
    return 2;
  }
  const { command } = reading;
  try {
    switch (command.kind) {
      case 'help':
        shell.print(command.about === null ? HELP_TEXT.trimEnd() : helpOf(command.about));
        return 0;
      case 'version':
        shell.print(SOFTWARE);
        return 0;
      case 'camera-parse':
        return await cameraParse(command, shell);
      case 'camera-discover': {
        const { cameraDiscover } = await import('./camera-discover.ts');
        return await cameraDiscover(command, shell);
      }
      case 'camera-snapshot': {
        const { cameraSnapshot } = await import('./camera-snapshot.ts');
        return await cameraSnapshot(command, shell);
      }
      case 'camera-watch': {
        const { cameraWatch } = await import('./camera-watch.ts');
        return await cameraWatch(command, shell);
      }
      case 'try-again': {
        const { tryAgain } = await import('./try-again.ts');
        return await tryAgain(command, shell);
      }
      case 'terminal-status': {
        const { terminalStatus } = await import('./terminal-tools.ts');
        return await terminalStatus(command, shell);
      }
      case 'terminal-diagnose': {
        const { terminalDiagnose } = await import('./terminal-tools.ts');
        return await terminalDiagnose(command, shell);
      }
      case 'terminal-decode': {
        const { terminalDecode } = await import('./terminal-decode.ts');
        return terminalDecode(command, shell);
      }
      case 'payment-list': {
        const { paymentList } = await import('./payment-tools.ts');
        return await paymentList(command, shell);
      }
      case 'payment-found': {
        const { paymentFound } = await import('./payment-tools.ts');
        return await paymentFound(command, shell);
      }
      case 'gate-list': {
        const { gateList } = await import('./gate-tools.ts');
        return await gateList(command, shell);
      }
      case 'gate-move': {
        const { gateMove } = await import('./gate-tools.ts');
        return await gateMove(command, shell);
      }
      case 'config-check':
        return configCheck(command, shell);
      case 'status': {
        const { status } = await import('./status.ts');
        return await status(command, shell);
      }
      case 'enrol': {
        const { enrol } = await import('./enrol.ts');
        return await enrol(command, shell);
      }
      case 'daemon': {
        // Tools need not load what the daemon is made of.
        const { runDaemon } = await import('./run-daemon.ts');
        return await runDaemon(shell.environment);
      }
      default:
        return command satisfies never;
    }
  } catch (error) {
    if (!isFault(error, 'config-invalid')) throw error;
    shell.complain(error.message);
    return 2;
  }
}
