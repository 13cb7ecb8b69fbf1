import type { BorgunBooks } from './borgun-books.ts';

/**
 * The pages of a bank: the driver's browser posts a form to them, and they post the result back by themselves. Null:
 * nothing that the bank knows.
 */
export function bankPage(url: string, form: URLSearchParams, books: BorgunBooks): string | null {
  if (url.startsWith('/bank/method')) {
    return page('', { threeDSMethodData: form.get('threeDSMethodData') ?? '' });
  }
  const request = form.get('creq') ?? form.get('PaReq') ?? '';
  const xid = Buffer.from(request, 'base64url').toString();
  const found = books.authentications.find((each) => each.xid === xid);
  if (!found) return null;
  const act = form.get('act');
  if (act === null) return page(url, Object.fromEntries(form), ['accept', 'refuse']);
  const result = books.decide(xid, act === 'accept');
  return page(found.termUrl, books.isOld(found) ? { PaRes: result, MD: found.md } : { cres: result });
}

/** A page with one form; with buttons, a person decides. */
function page(action: string, fields: Record<string, string>, buttons?: string[]): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  const ends = buttons?.map((each) => `<button name="act" value="${each}">${each}</button>`) ?? [
    '<script>document.forms[0].submit()</script>',
  ];
  return `<form method="post" action="${action}">${[...inputs, ...ends].join('')}</form>`;
}
