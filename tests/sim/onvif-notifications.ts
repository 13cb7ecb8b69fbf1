import type { DeviceEvent } from './onvif-pull-points.ts';

/** The event of a simulated camera for a vehicle, on the topic of Profile M. */
export interface SimPlate {
  plate: string;
  likelihood?: number;
  country?: string;
  direction?: string;
  objectId?: number;
  /** JPEG in base64, into the event. */
  image?: string;
  at?: Date;
}

/** The fields of an Axis camera's event beside the plate. */
export interface SimAxisPlate {
  plate: string;
  carId: number;
  carState?: 'new' | 'update' | 'lost';
  country?: string;
  at?: Date;
}

/** The common part of every notification of one device. */
export interface Teller {
  now: () => Date;
}

type Items = Readonly<Record<string, string | number>>;

const NAMESPACES =
  'xmlns:tt="http://www.onvif.org/ver10/schema" xmlns:tns1="http://www.onvif.org/ver10/topics" xmlns:tnsaxis="http://www.axis.com/2009/event/topics"';

export function plateEvent(teller: Teller, plate: SimPlate): DeviceEvent {
  const { likelihood = 0.93, country = 'IS', direction, objectId = 1, image } = plate;
  const elements = `<tt:ElementItem Name="LicensePlateInfo"><tt:LicensePlateInfo>
<tt:PlateNumber Likelihood="${likelihood}">${plate.plate}</tt:PlateNumber>
<tt:PlateType Likelihood="0.8">Normal</tt:PlateType><tt:CountryCode Likelihood="0.7">${country}</tt:CountryCode>
</tt:LicensePlateInfo></tt:ElementItem>
<tt:ElementItem Name="ObjectId"><tt:ObjectId ObjectId="${objectId}"/></tt:ElementItem>
${image ? `<tt:ElementItem Name="Image"><tt:Image>${image}</tt:Image></tt:ElementItem>` : ''}`;
  return notification('tns1:RuleEngine/Recognition/LicensePlate', plate.at ?? teller.now(), {
    source: { VideoSource: 'VideoSource_1', Rule: 'Plates' },
    data: { Likelihood: likelihood, ...(direction && { Direction: direction }) },
    elements,
  });
}

export function axisPlateEvent(teller: Teller, plate: SimAxisPlate): DeviceEvent {
  const at = plate.at ?? teller.now();
  return notification('tnsaxis:CameraApplicationPlatform/ALPV.AllPlates', at, {
    source: {},
    data: {
      carMoveDirection: 'unknown',
      carState: plate.carState ?? 'new',
      capture_timestamp: at.getTime(),
      carID: plate.carId,
      country: plate.country ?? 'ISL',
      listName: '',
      text: plate.plate,
    },
  });
}

export function relayEvent(teller: Teller, token: string, active: boolean, initial = false): DeviceEvent {
  return notification('tns1:Device/Trigger/Relay', teller.now(), {
    source: { RelayToken: token },
    data: { LogicalState: active ? 'active' : 'inactive' },
    operation: initial ? 'Initialized' : 'Changed',
  });
}

export function inputEvent(teller: Teller, token: string, active: boolean, initial = false): DeviceEvent {
  return notification('tns1:Device/Trigger/DigitalInput', teller.now(), {
    source: { InputToken: token },
    data: { LogicalState: String(active) },
    operation: initial ? 'Initialized' : 'Changed',
  });
}

function notification(
  topic: string,
  at: Date,
  messages: { source: Items; data: Items; elements?: string; operation?: string },
): DeviceEvent {
  const items = (of: Items) =>
    Object.entries(of)
      .map(([name, value]) => `<tt:SimpleItem Name="${name}" Value="${value}"/>`)
      .join('');
  const operation = messages.operation ? ` PropertyOperation="${messages.operation}"` : '';
  return {
    topic,
    xml: `<wsnt:NotificationMessage ${NAMESPACES}>
<wsnt:Topic Dialect="http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet">
${topic}
</wsnt:Topic>
<wsnt:Message><tt:Message UtcTime="${at.toISOString()}"${operation}>
<tt:Source>${items(messages.source)}</tt:Source><tt:Data>${items(messages.data)}${messages.elements ?? ''}</tt:Data>
</tt:Message></wsnt:Message></wsnt:NotificationMessage>`,
  };
}
