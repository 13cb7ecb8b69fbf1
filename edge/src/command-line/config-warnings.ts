import { existsSync } from 'node:fs';
import { sharedPorts } from '@hlid/node/shared-ports';
import { canSettle } from '@hlid/protocol/rules/ways-to-pay';
import { lanesOf } from '../config/camera-lanes.ts';
import type { EdgeConfig } from '../config/config.ts';

/**
 * Settings that are valid and yet probably a mistake, each with its key. The daemon starts with all of them.
 */
export function configWarnings(config: EdgeConfig): string[] {
  return [
    ...lanesWithoutCamera(config),
    ...sharedRelays(config),
    ...sharedTokens(config),
    ...missingSerialPorts(config),
    ...sharedPorts(listenersOf(config)),
    ...driversWithoutHelp(config),
  ];
}

/** Warns where drivers get no help. A site with a cloud uses the cloud's settings. */
function driversWithoutHelp({ site, lanes, terminal, cloud }: EdgeConfig): string[] {
  const holdsDrivers = lanes.some(({ direction, gate }) => direction === 'exit' && gate.kind !== 'none');
  if (cloud || !holdsDrivers) return [];
  const warnings: string[] = [];
  if (site.settings.helpPhone === undefined) {
    warnings.push(
      'site.settings.helpPhone: not set: a driver who is kept at an exit is shown nobody to call.',
    );
  }
  if (!canSettle(site.settings, terminal ? 'works' : 'none')) {
    warnings.push(
      'site.settings: no terminal, hasKiosk, payOnline or invoicesOwners: a driver who owes cannot pay at the exit.',
    );
  } else if (!canSettle(site.settings, 'none')) {
    warnings.push(
      'terminal: is the only way to pay: while it does not work, a driver who owes cannot leave. Set site.settings.payOnline too.',
    );
  }
  return warnings;
}

function lanesWithoutCamera({ lanes, cameras }: EdgeConfig): string[] {
  return lanes
    .filter(({ id }) => !cameras.some((camera) => lanesOf(camera).includes(id)))
    .map(({ id, gate }) =>
      gate.kind === 'none'
        ? `Lane ${id} has neither a gate nor a camera: nothing happens there.`
        : `Lane ${id} has no camera: its gate only moves by hand.`,
    );
}

function sharedRelays({ lanes }: EdgeConfig): string[] {
  return lanes.flatMap(({ id, gate }, at) => {
    const one = lanes.slice(0, at).find((other) => areOneRelay(other.gate, gate));
    if (one === undefined) return [];
    return [`lanes[${at}].gate: moves the same relay as that of lane ${one.id}: a car at ${id} opens both.`];
  });
}

type GateConfig = EdgeConfig['lanes'][number]['gate'];

function areOneRelay(one: GateConfig, other: GateConfig): boolean {
  if (one.kind === 'none') return false;
  // Without a token it is the only relay of its device.
  const isOnly = [one, other].some((gate) => gate.kind === 'onvif' && gate.relay === undefined);
  const [place, otherPlace] = [one, other].map((gate) => placeOf(gate, isOnly));
  return one.kind === other.kind && place === otherPlace;
}

/** The settings that distinguish a relay from others: its place, without logins and times. */
function placeOf(gate: GateConfig, isOnly: boolean): string {
  switch (gate.kind) {
    case 'http':
      return JSON.stringify([gate.open.method, withoutTimes(gate.open.url), gate.open.body]);
    case 'onvif':
      return JSON.stringify([new URL(gate.url).host, isOnly ? '' : gate.relay]);
    case 'axis':
      return JSON.stringify([new URL(gate.url).host, gate.port]);
    case 'hikvision':
      return JSON.stringify([new URL(gate.url).host, gate.channel]);
    case 'survision':
      return new URL(gate.url).host;
    case 'none':
      return '';
    default:
      return gate satisfies never;
  }
}

/** Parameters that set for how long a relay moves, and never which one. */
const TIMES = /^(?:timer?|duration|delay|interval|pulse(?:time|ms)?|ms|milliseconds|s|sec|seconds)$/i;

/** The address without login, times and the order of its parameters. */
function withoutTimes(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (TIMES.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url.href;
}

function sharedTokens({ cameras }: EdgeConfig): string[] {
  const posting = cameras.filter(({ token }) => token !== undefined);
  return repeated(posting, ({ token }) => token ?? '').map(
    ({ one, other }) =>
      `cameras: ${one.id} and ${other.id} have the same token: whoever knows one camera's address can post as the other.`,
  );
}

function missingSerialPorts({ terminal, lanes }: EdgeConfig): string[] {
  const ports = [
    ...(terminal?.kind === 'zvt' && terminal.serial !== undefined
      ? [{ setting: 'terminal.serial.path', path: terminal.serial.path }]
      : []),
    ...lanes.flatMap(({ codeReader }, at) =>
      codeReader === undefined ? [] : [{ setting: `lanes[${at}].codeReader.path`, path: codeReader.path }],
    ),
  ];
  return ports.flatMap(({ setting, path }) =>
    existsSync(path) ? [] : [`${setting}: there is no ${path} on this machine now: is the cable plugged in?`],
  );
}

function listenersOf({ edgePort, cameraHost, cameraPort, cameraTls, onSite }: EdgeConfig) {
  return [
    { setting: 'HLID_EDGE_PORT', host: '127.0.0.1', port: edgePort },
    { setting: 'HLID_CAMERA_PORT', host: cameraHost, port: cameraPort },
    ...(cameraTls ? [{ setting: 'cameraTls.port', host: cameraTls.host, port: cameraTls.port }] : []),
    ...(onSite.network
      ? [{ setting: 'onSite.network.port', host: onSite.network.host, port: onSite.network.port }]
      : []),
  ];
}

/** The entries that have the same key as an earlier one, with that one. */
function repeated<T>(entries: readonly T[], keyOf: (entry: T) => string): { one: T; other: T; at: number }[] {
  const first = new Map<string, T>();
  return entries.flatMap((other, at) => {
    const key = keyOf(other);
    const one = first.get(key);
    if (one !== undefined) return [{ one, other, at }];
    first.set(key, other);
    return [];
  });
}
