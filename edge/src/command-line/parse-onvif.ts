import { utcTime } from '@hlid/protocol/base/utc-time';
import { utf16Of } from '@hlid/protocol/camera/body-text';
import { scoreOf, UNSTATED_SCORE } from '@hlid/protocol/camera/confidence';
import { countryCode } from '@hlid/protocol/camera/country-code';
import { accept, type ParsedDocument, quoted, refuse } from '@hlid/protocol/camera/json-border';
import { plateParts, travel } from '@hlid/protocol/camera/read-parts';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { readDateTime } from '../onvif/device-time.ts';
import { type OnvifEvent, readEvent } from '../onvif/event-message.ts';
import { PlateMapSchema, plateDocuments } from '../onvif/onvif-plate.ts';
import { readEnvelope } from '../onvif/soap-envelope.ts';
import { descendants, find, readXml, textAt, type XmlElement } from '../onvif/xml-element.ts';

/** A parsed document, with a note for the technician. */
export interface OnvifParsed {
  parsed: ParsedDocument;
  note: string | null;
}

const KNOWN_TOPICS = PlateMapSchema.parse(['axis', 'hikvision']);
/** The names of plates in makers' own topics. */
const PLATE_ITEMS = ['PlateNumber', 'LicensePlate', 'Plate', 'PlateText'];
const ANY_TOPIC = PlateMapSchema.parse(
  PLATE_ITEMS.map((plate) => ({
    topic: '*',
    plate,
    score: { item: 'Likelihood' },
    country: 'CountryCode',
    direction: 'Direction',
  })),
);

/**
 * Reads what an ONVIF device has sent as the daemon does: an answer to a pull, a single notification, or metadata.
 */
export function parseOnvif(body: Uint8Array): OnvifParsed {
  const text = new TextDecoder(utf16Of(body) ?? 'utf-8').decode(body).trimStart();
  if (text === '') return plain(refuse('malformed', 'the body is empty'));
  const root = text.startsWith('<') ? readXml(text) : null;
  if (root === null) {
    return plain(refuse('malformed', 'the body is not XML of an ONVIF device'));
  }
  const notifications =
    root.name === 'NotificationMessage' ? [root] : descendants(root, 'NotificationMessage');
  if (notifications.length > 0)
    return fromEvents(
      root,
      notifications.flatMap((notification) => readEvent(notification) ?? []),
    );
  const reads = descendants(root, 'Frame').flatMap(readsOfFrame);
  if (reads.length > 0) return { parsed: accept({ kind: 'onvif metadata', reads }), note: OF_METADATA };
  return plain(withoutEvent(root, text));
}

const OF_METADATA =
  'This is a metadata stream. The daemon reads events: set the camera to send tns1:RuleEngine/Recognition/LicensePlate, or to post.';

function plain(parsed: ParsedDocument): OnvifParsed {
  return { parsed, note: null };
}

function fromEvents(root: XmlElement, events: readonly OnvifEvent[]): OnvifParsed {
  const deviceTime = readDateTime(descendants(root, 'CurrentTime')[0]?.text);
  // Times are those of the device’s own clock: the time of receipt is not known.
  const times = { deviceTime, receivedAt: deviceTime ?? new Date(0) };
  const known = plateDocuments(events, { vendor: KNOWN_TOPICS, ...times });
  const documents = known.length > 0 ? known : plateDocuments(events, { vendor: ANY_TOPIC, ...times });
  const topics = [...new Set(events.map(({ topic }) => topic))].slice(0, 5).join(', ');
  const note = `The daemon reads plates on this topic only if onvif.plates of the camera names it: ${topics}`;
  return {
    parsed: accept({ kind: 'onvif', reads: documents.flatMap(({ reads }) => reads) }),
    note: known.length === 0 && documents.length > 0 ? note : null,
  };
}

function readsOfFrame(frame: XmlElement): PlateRead[] {
  const { UtcTime: utc = '' } = frame.attributes;
  const at = readDateTime(utc);
  return descendants(frame, 'Object').flatMap((object) =>
    descendants(object, 'LicensePlateInfo').map((info): PlateRead => {
      const number = find(info, 'PlateNumber');
      const plateRaw = number?.text ?? '';
      const likelihood = number?.attributes['Likelihood'] ?? info.attributes['Likelihood'];
      const direction = descendants(object, 'Property').find(
        ({ attributes }) => attributes['name'] === 'Direction',
      );
      return {
        ...plateParts(plateRaw, likelihood === undefined ? UNSTATED_SCORE : scoreOf(likelihood, 1), []),
        country: countryCode(textAt(info, 'CountryCode')),
        direction: travel(direction?.text),
        capturedAt: at && utcTime(at),
        eventKey: `onvif/metadata/${object.attributes['ObjectId'] ?? ''}/${utc}/${plateRaw}`.slice(0, 200),
        relatedKeys: [],
        late: false,
        parked: false,
      };
    }),
  );
}

function withoutEvent(root: XmlElement, text: string): ParsedDocument {
  const reading = readEnvelope(text);
  if (!reading.ok && reading.fault)
    return refuse('unknown-kind', `the device refused: ${reading.fault.reason}`);
  if (find(root, 'Body', 'PullMessagesResponse')) return accept({ kind: 'onvif' });
  const name = (reading.ok ? reading.body : root).name;
  return refuse(
    'unknown-kind',
    `the XML is ${quoted(name)}, and has neither a NotificationMessage nor a plate`,
  );
}
