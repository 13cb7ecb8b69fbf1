/** A relay of a simulated ONVIF device, as it comes out of its box. */
export interface SimRelay {
  token: string;
  mode?: 'Monostable' | 'Bistable';
  delayMs?: number;
  /** Whether it can be set to fall back by itself. */
  canBeMonostable?: boolean;
  /** It takes no other times. */
  wholeSeconds?: boolean;
}

export interface RelayView {
  active: boolean;
  mode: 'Monostable' | 'Bistable';
  delayMs: number;
  /** How often it was switched on while it was off. */
  openings: number;
  /** The number of commands to activate it, with an effect or not. */
  activations: number;
}

interface Output extends RelayView {
  token: string;
  canBeMonostable: boolean;
  wholeSeconds: boolean;
  fallBack: NodeJS.Timeout | null;
}

/** The relays behind a simulated device. `moved` is called at each change, at once. */
export function createRelays(given: readonly SimRelay[], moved: (token: string, active: boolean) => void) {
  const outputs = new Map<string, Output>(
    given.map(({ token, mode = 'Bistable', delayMs = 0, canBeMonostable = true, wholeSeconds = false }) => [
      token,
      {
        token,
        mode,
        delayMs,
        canBeMonostable,
        wholeSeconds,
        active: false,
        openings: 0,
        activations: 0,
        fallBack: null,
      },
    ]),
  );

  function set(output: Output, active: boolean): void {
    if (output.fallBack) clearTimeout(output.fallBack);
    output.fallBack = null;
    const changes = output.active !== active;
    output.active = active;
    if (active) {
      output.activations++;
      if (changes) output.openings++;
      if (output.mode === 'Monostable') {
        output.fallBack = setTimeout(() => set(output, false), output.delayMs);
      }
    }
    if (changes) moved(output.token, active);
  }

  return {
    all: (): readonly Readonly<RelayView & { token: string }>[] => [...outputs.values()],
    get: (token: string): Readonly<RelayView> | undefined => outputs.get(token),
    /** @returns the fault's name, null where it was done */
    configure(token: string, mode: string, delayMs: number, idleState: string): string | null {
      const output = outputs.get(token);
      if (!output) return 'ter:RelayToken';
      const known = ['Monostable', 'Bistable'].includes(mode) && ['open', 'closed'].includes(idleState);
      if (!known || Number.isNaN(delayMs)) return 'ter:InvalidArgVal';
      if (mode === 'Monostable' && (!output.canBeMonostable || delayMs === 0)) return 'ter:ModeError';
      if (output.wholeSeconds && delayMs % 1000 !== 0) return 'ter:InvalidArgVal';
      output.mode = mode === 'Monostable' ? 'Monostable' : 'Bistable';
      output.delayMs = delayMs;
      return null;
    },
    set(token: string, state: string): string | null {
      const output = outputs.get(token);
      if (!output) return 'ter:RelayToken';
      if (state !== 'active' && state !== 'inactive') return 'ter:InvalidArgVal';
      set(output, state === 'active');
      return null;
    },
    /** A technician has set the device back to its factory state. */
    setBack(): void {
      for (const output of outputs.values()) output.mode = 'Bistable';
    },
    stop(): void {
      for (const { fallBack } of outputs.values()) if (fallBack) clearTimeout(fallBack);
    },
  };
}
