import { splitName } from '@hlid/protocol/base/xml';
import { declare } from './namespaces.ts';
import { children, find, readXml, textAt, type XmlElement } from './xml-element.ts';
import { type Xml, xml } from './xml-text.ts';

/** The WS-Addressing headers of a message to a subscription. */
export interface Addressing {
  action: string;
  messageId: string;
  to: string;
  /** The device's parameters, to be sent back unchanged. */
  referenceParameters: readonly XmlElement[];
}

/** Why a device refused a call. */
export interface SoapFault {
  /** Names of code and subcodes without prefixes, outermost first: `Sender`, `NotAuthorized`. */
  codes: string[];
  /** The reason in the device's own words. */
  reason: string;
}

/** A SOAP 1.2 message. `addressing` only where the receiver needs it: some devices refuse it elsewhere. */
export function soapEnvelope(
  body: Xml,
  header: { addressing?: Addressing | undefined; security?: Xml | undefined } = {},
): string {
  const { addressing, security } = header;
  const root: Xml = {
    xml: `<s:Envelope${declare('s', 'wsa', 'tds', 'tmd', 'tev', 'trt', 'wsnt', 'tt', 'tns1', 'tnsaxis')}>`,
  };
  const whole = xml`${root}<s:Header>${addressing ? addressingXml(addressing) : null}${security ?? null}</s:Header>
<s:Body>${body}</s:Body></s:Envelope>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${whole.xml}`;
}

function addressingXml({ action, messageId, to, referenceParameters }: Addressing): Xml {
  return xml`<wsa:Action s:mustUnderstand="1">${action}</wsa:Action>
<wsa:MessageID>${messageId}</wsa:MessageID>
<wsa:ReplyTo><wsa:Address>http://www.w3.org/2005/08/addressing/anonymous</wsa:Address></wsa:ReplyTo>
<wsa:To s:mustUnderstand="1">${to}</wsa:To>
${referenceParameters.map((parameter) => echo(parameter, true))}`;
}

/** The element unchanged, with its namespaces, marked as a reference parameter (WS-Addressing SOAP binding 3.3). */
function echo(element: XmlElement, outermost = false): Xml {
  const attributes = Object.entries(element.attributes).map(([name, value]) => xml` ${name}="${value}"`);
  const mark: Xml = { xml: outermost ? ' wsa:IsReferenceParameter="true"' : '' };
  return xml`<${element.name} xmlns="${element.namespace}"${mark}${attributes}>${element.text}${element.children.map((child) => echo(child))}</${element.name}>`;
}

export type EnvelopeReading =
  | { ok: true; body: XmlElement; header: XmlElement | null }
  | { ok: false; fault: SoapFault }
  | { ok: false; fault: null };

/** An answer's first body element, or its fault; neither where it is not SOAP. Reads SOAP 1.1 faults too. */
export function readEnvelope(text: string): EnvelopeReading {
  const root = readXml(text);
  if (root?.name !== 'Envelope') return { ok: false, fault: null };
  const [body] = find(root, 'Body')?.children ?? [];
  // Answers without content (to Unsubscribe, for example) are an empty body on some devices.
  if (!body) return { ok: true, body: root, header: find(root, 'Header') };
  if (body.name !== 'Fault') return { ok: true, body, header: find(root, 'Header') };
  return { ok: false, fault: readFault(body) };
}

function readFault(fault: XmlElement): SoapFault {
  const codes: string[] = [];
  for (let code = find(fault, 'Code'); code; code = find(code, 'Subcode')) {
    const value = textAt(code, 'Value');
    if (value) codes.push(splitName(value)[1]);
  }
  const old = textAt(fault, 'faultcode');
  if (old) codes.push(splitName(old)[1]);
  // The faults of WS-BaseNotification and of pulling have their code only in the detail.
  const details = (find(fault, 'Detail') ?? find(fault, 'detail'))?.children ?? [];
  for (const detail of details) {
    if (/docs\.oasis-open\.org\/wsn|\/events\/wsdl$/.test(detail.namespace)) codes.push(detail.name);
  }
  const [reason] = children(find(fault, 'Reason'), 'Text');
  return { codes, reason: reason?.text || textAt(fault, 'faultstring') || codes.at(-1) || 'fault' };
}
