import { find, textAt, type XmlElement } from './xml-element.ts';

/** The time in a device's answer to GetSystemDateAndTime; null where there is none. */
export function readDeviceTime(answer: XmlElement): Date | null {
  const time = find(answer, 'SystemDateAndTime');
  const utc = find(time, 'UTCDateTime');
  const [year, month, day] = numbersAt(find(utc, 'Date'), ['Year', 'Month', 'Day']);
  const [hour, minute, second] = numbersAt(find(utc, 'Time'), ['Hour', 'Minute', 'Second']);
  if (!year || !month || !day || hour === undefined || minute === undefined) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second ?? 0));
  return Number.isNaN(date.getTime()) ? null : date;
}

function numbersAt(element: XmlElement | null, names: readonly string[]): (number | undefined)[] {
  return names.map((name) => {
    const text = textAt(element, name);
    return text !== null && /^-?\d+$/.test(text) ? Number(text) : undefined;
  });
}

/** Times as ONVIF writes them; without a zone they are UTC. Null for anything else. */
export function readDateTime(text: string | null | undefined): Date | null {
  if (!text || !/^-?\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
  const date = new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** A duration in whole seconds where possible, as devices expect. */
export function durationOf(ms: number): string {
  return `PT${ms / 1000}S`;
}

/** Milliseconds of an XML duration without years and months; null for anything else. */
export function readDuration(text: string | null | undefined): number | null {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text ?? '');
  if (!parts || text === 'P' || text?.endsWith('T')) return null;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return (((days ?? 0) * 24 + (hours ?? 0)) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000;
}

export function readHttpDate(header: string | undefined): Date | null {
  const date = new Date(header ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}
