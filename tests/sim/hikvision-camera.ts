import type { CameraPost, Sighting, SimulatedCamera } from './camera.ts';
import { TINY_JPEG } from './jpeg.ts';
import { multipartBody } from './multipart-body.ts';

export interface HikvisionCameraOptions {
  macAddress: string;
  /** The UTC offset of the dates that it writes. */
  utcOffset?: string;
  namespace?: keyof typeof NAMESPACES;
  /** Elements with a prefix. */
  prefix?: string;
  /** Set to send no pictures: the alert alone, as XML. */
  bare?: boolean;
}

const NAMESPACES = {
  hikvision: 'http://www.hikvision.com/ver20/XMLSchema',
  isapi: 'http://www.isapi.org/ver20/XMLSchema',
  'std-cgi': 'http://www.std-cgi.com/ver10/XMLSchema',
  none: null,
} as const;

/** Iceland in the maker's own country index. */
const ICELAND = 40;

/** A Hikvision camera with an alarm server, and what it sends again after a line that was down. */
export interface HikvisionCamera extends SimulatedCamera {
  /** Its last alert once more, out of its store. */
  sendAgain(): CameraPost | null;
}

/**
 * A Hikvision ANPR camera: one `EventNotificationAlert` for each vehicle, in `multipart/form-data` with the plate's
 * picture and the scene. Documents as in `tests/fixtures/cameras/hikvision`.
 */
export function createHikvisionCamera(options: HikvisionCameraOptions): HikvisionCamera {
  const { namespace = 'hikvision', prefix, bare = false, utcOffset = '+00:00' } = options;
  let alerts = 0;
  let last: { sighting: Sighting; number: number } | null = null;

  function alert(at: Date, inside: string): string {
    const uri = NAMESPACES[namespace];
    const declared = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
    const xml = `<EventNotificationAlert version="2.0"${uri === null ? '' : ` ${declared}="${uri}"`}>
<ipAddress>192.0.2.64</ipAddress>
<portNo>80</portNo>
<protocol>HTTP</protocol>
<macAddress>${options.macAddress}</macAddress>
<channelID>1</channelID>
<dateTime>${localTime(at, utcOffset)}</dateTime>
${inside}
</EventNotificationAlert>`;
    const prefixed = prefix === undefined ? xml : xml.replace(/<(\/?)(?=\w)/g, `<$1${prefix}:`);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${prefixed}\n`;
  }

  function anpr(sighting: Sighting, number: number, again: boolean): CameraPost {
    const { plate, score, at, direction = 'approaching', zone = '1' } = sighting;
    const xml = alert(
      at,
      `<activePostCount>1</activePostCount>
<eventType>ANPR</eventType>
<eventState>active</eventState>
<eventDescription>ANPR</eventDescription>
<channelName>Entrance</channelName>
<ANPR>
<country>${ICELAND}</country>
<licensePlate>${plate ?? 'unknown'}</licensePlate>
<line>${zone}</line>
<direction>${direction === 'leaving' ? 'reverse' : 'forward'}</direction>
<confidenceLevel>${plate === null ? 0 : Math.round(score * 100)}</confidenceLevel>
<plateType>unknown</plateType>
<plateColor>white</plateColor>
<vehicleType>vehicle</vehicleType>
<detectDir>8</detectDir>
<detectType>0</detectType>
<alarmDataType>${again ? 1 : 0}</alarmDataType>
<vehicleInfo>
<color>gray</color>
<vehileSubLogoRecog>0</vehileSubLogoRecog>
<vehileModel>0</vehileModel>
</vehicleInfo>
<pictureInfoList>
<pictureInfo><fileName>licensePlatePicture.jpg</fileName><type>licensePlatePicture</type><dataType>0</dataType></pictureInfo>
<pictureInfo><fileName>detectionPicture.jpg</fileName><type>detectionPicture</type><dataType>0</dataType>
<plateRect><X>448</X><Y>406</Y><width>117</width><height>40</height></plateRect></pictureInfo>
</pictureInfoList>
<originalLicensePlate>${plate ?? 'unknown'}</originalLicensePlate>
<CRIndex>${ICELAND}</CRIndex>
<vehicleListName>otherList</vehicleListName>
</ANPR>
<UUID>${options.macAddress.replaceAll(':', '')}-${at.getTime()}-${number}</UUID>
<picNum>2</picNum>
<isDataRetransmission>${again}</isDataRetransmission>`,
    );
    return bare
      ? { body: xml, headers: { 'content-type': 'application/xml; charset="UTF-8"' } }
      : withPictures(xml);
  }

  return {
    see(sighting) {
      alerts++;
      last = { sighting, number: alerts };
      return [anpr(sighting, alerts, false)];
    },
    afterwards: () => [],
    sendAgain: () => (last === null ? null : anpr(last.sighting, last.number, true)),
    heartbeat: (at) => ({
      body: alert(
        at,
        `<activePostCount>0</activePostCount>
<eventType>videoloss</eventType>
<eventState>inactive</eventState>
<eventDescription>videoloss alarm</eventDescription>`,
      ),
      headers: { 'content-type': 'application/xml; charset="UTF-8"' },
    }),
  };
}

function withPictures(xml: string): CameraPost {
  const jpeg = Buffer.from(TINY_JPEG, 'base64');
  const part = (name: string, type: string, content: string | Uint8Array) => ({
    headers: [
      `Content-Disposition: form-data; name="${name}"; filename="${name}"`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(content)}`,
    ],
    content,
  });
  return {
    body: multipartBody(
      [
        part('anpr.xml', 'text/xml', xml),
        part('licensePlatePicture.jpg', 'image/pjpeg', jpeg),
        part('detectionPicture.jpg', 'image/pjpeg', jpeg),
      ],
      'boundary',
    ),
    headers: { 'content-type': 'multipart/form-data; boundary=boundary' },
  };
}

/** The wall clock with its offset, without parts of seconds, as these cameras write it. */
function localTime(at: Date, utcOffset: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(utcOffset) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return `${new Date(at.getTime() + offsetMs).toISOString().slice(0, 19)}${utcOffset}`;
}
