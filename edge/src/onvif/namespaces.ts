/** Namespaces of ONVIF and what it stands on, by the prefixes that its documents use for them. */
export const NS = {
  s: 'http://www.w3.org/2003/05/soap-envelope',
  wsa: 'http://www.w3.org/2005/08/addressing',
  wsse: 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd',
  wsu: 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd',
  tds: 'http://www.onvif.org/ver10/device/wsdl',
  tmd: 'http://www.onvif.org/ver10/deviceIO/wsdl',
  tev: 'http://www.onvif.org/ver10/events/wsdl',
  trt: 'http://www.onvif.org/ver10/media/wsdl',
  wsnt: 'http://docs.oasis-open.org/wsn/b-2',
  tt: 'http://www.onvif.org/ver10/schema',
  tns1: 'http://www.onvif.org/ver10/topics',
  tnsaxis: 'http://www.axis.com/2009/event/topics',
} as const;

/** Declarations of these prefixes, for a start tag. */
export function declare(...prefixes: (keyof typeof NS)[]): string {
  return prefixes.map((prefix) => ` xmlns:${prefix}="${NS[prefix]}"`).join('');
}
