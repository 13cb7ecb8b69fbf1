import { randomUUID } from 'node:crypto';
import type { BankVerification } from './valitor-gateway-books.ts';

/** The bank asks the driver. */
export function bankPage({ id, request }: BankVerification): string {
  const hidden = inputs({ creq: id, MD: request.MD });
  return page(
    `<h1>Banki</h1><form method="post" action="/bank/decision">${hidden}
    <button name="act" value="accept">Staðfesta</button> <button name="act" value="refuse">Hafna</button></form>`,
  );
}

/** Posts itself to us: "Card verification", the callback. */
export function returnPage({ request, result }: BankVerification): string {
  if (result === null) throw new Error('The bank has not decided yet');
  const { mdStatus, cavv, xid, dsTransId } = result;
  const isAccepted = mdStatus !== '0';
  const fields = {
    version: '2.0',
    merchantID: '9999',
    xid,
    mdStatus,
    mdErrorMsg: isAccepted ? 'Authenticated' : 'Not authenticated',
    txStatus: isAccepted ? 'Y' : 'N',
    iReqCode: '',
    iReqDetail: '',
    eci: '02',
    cavv,
    cavvAlgorithm: '3',
    MD: request.MD,
    PAResVerified: 'true',
    sID: '1',
    'TDS2.transStatus': isAccepted ? 'Y' : 'N',
    'TDS2.dsTransID': dsTransId,
    'TDS2.threeDSServerTransID': randomUUID(),
    'TDS2.acsTransID': randomUUID(),
    'TDS2.authTimestamp': '',
    'TDS2.messageVersion': '2.2.0',
    'TDS2.authenticationType': '02',
    digest: '',
    signature: '',
  };
  return page(
    `<form id="return" method="post" action="${escaped(request.authenticationUrl)}">${inputs(fields)}
    <button>Áfram</button></form><script>document.getElementById('return').submit()</script>`,
  );
}

/** The form of these pages, as a browser reads it: its address, and its fields. */
export function readForm(html: string): { action: string; fields: Record<string, string> } {
  const action = unescaped(/<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? '');
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of html.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)">/g,
  )) {
    fields[unescaped(name)] = unescaped(value);
  }
  return { action, fields };
}

function inputs(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('');
}

function page(body: string): string {
  return `<!doctype html><html lang="is"><meta charset="utf-8"><title>3-D Secure</title><body>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
