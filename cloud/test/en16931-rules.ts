/**
 * The arithmetic of EN 16931 over a UBL document of ours, computed from its text alone: it shares nothing with the code
 * that makes it. The published rules judge the same documents where Java is there; these run everywhere, and know no
 * tolerance but that of the VAT itself.
 *
 * @returns the rules that are broken
 */
export function brokenArithmetic(xml: string): string[] {
  const lines = elements(xml, '(?:InvoiceLine|CreditNoteLine)').map(lineOf);
  const [head = ''] = xml.split(/<cac:(?:InvoiceLine|CreditNoteLine)>/);
  const allowances = elements(head, 'AllowanceCharge').map(allowanceOf);
  const [total = ''] = elements(head, 'TaxTotal');
  const parts = elements(total, 'TaxSubtotal').map(partOf);
  const [sums = ''] = elements(head, 'LegalMonetaryTotal');
  const bt = (name: string) => amountIn(sums, name) ?? 0;
  const lineNets = sumOf(lines.map(({ net }) => net));
  const allowed = sumOf(allowances.map(({ amount }) => amount));
  const vat = amountIn(total.replaceAll(/<cac:TaxSubtotal>[\s\S]*/g, ''), 'TaxAmount');
  const found = new Map<string, boolean>([
    ['BR-16', lines.length > 0],
    ['BR-CO-18', parts.length > 0],
    ['BR-CO-10', lineNets === bt('LineExtensionAmount')],
    ['BR-CO-11', allowed === bt('AllowanceTotalAmount')],
    ['BR-CO-13', bt('TaxExclusiveAmount') === bt('LineExtensionAmount') - bt('AllowanceTotalAmount')],
    ['BR-CO-14', vat === sumOf(parts.map((part) => part.vat))],
    ['BR-CO-15', bt('TaxInclusiveAmount') === bt('TaxExclusiveAmount') + (vat ?? 0)],
    ['BR-CO-16', bt('PayableAmount') === bt('TaxInclusiveAmount') - bt('PrepaidAmount')],
    ['BR-DEC', [...xml.matchAll(/currencyID="\w+">([^<]*)</g)].every(([, text = '']) => isAmount(text))],
    ['BR-27', lines.every(({ price }) => price >= 0)],
    ['PEPPOL-EN16931-R120', lines.every(({ net, quantity, base, price }) => quantity * price === net * base)],
    ['BR-O-11', parts.every(({ category }) => category !== 'O') || parts.length === 1],
  ]);
  for (const part of parts) for (const [rule, holds] of ofPart(part)) and(found, rule, holds);
  const groups = new Set([...lines, ...allowances, ...parts].map(groupOf));
  for (const group of groups) {
    const [category = ''] = group.split(' ');
    const own = parts.filter((part) => groupOf(part) === group);
    const base =
      sumOf(lines.filter((line) => groupOf(line) === group).map(({ net }) => net)) -
      sumOf(allowances.filter((one) => groupOf(one) === group).map(({ amount }) => amount));
    and(found, `BR-${category}-01`, own.length === 1);
    and(found, `BR-${category}-08`, own.length === 1 && own[0]?.base === base);
  }
  return [...found].filter(([, holds]) => !holds).map(([rule]) => rule);
}

interface Taxed {
  category: string;
  /** Hundredths of a percent; null: none is written. */
  rate: number | null;
}

interface Part extends Taxed {
  base: number;
  vat: number;
  hasReason: boolean;
}

function ofPart({ category, rate, base, vat, hasReason }: Part): [string, boolean][] {
  // In hundredths of hundredths of a percent of a hundredth, so that nothing is divided.
  const isNear = Math.abs(vat * 10_000 - base * (rate ?? 0)) < 100 * 10_000;
  const isFree = category === 'E' || category === 'Z' || category === 'O';
  return [
    ['BR-CO-17', isNear],
    [`BR-${category}-09`, isFree ? vat === 0 : isNear],
    [`BR-${category}-10`, hasReason === (category === 'E' || category === 'O')],
    [`BR-${category}-05`, category === 'O' ? rate === null : category === 'S' ? (rate ?? 0) > 0 : rate === 0],
  ];
}

function lineOf(xml: string) {
  const quantity = Number(textIn(xml, 'cbc:(?:Invoiced|Credited)Quantity'));
  const base = Number(textIn(xml, 'cbc:BaseQuantity') ?? 1);
  const net = amountIn(xml, 'LineExtensionAmount') ?? Number.NaN;
  const price = amountIn(xml, 'PriceAmount') ?? Number.NaN;
  return { quantity, base, net, price, ...taxOf(xml, 'ClassifiedTaxCategory') };
}

function allowanceOf(xml: string) {
  return { amount: amountIn(xml, 'Amount') ?? Number.NaN, ...taxOf(xml, 'TaxCategory') };
}

function partOf(xml: string): Part {
  return {
    base: amountIn(xml, 'TaxableAmount') ?? Number.NaN,
    vat: amountIn(xml, 'TaxAmount') ?? Number.NaN,
    hasReason: textIn(xml, 'cbc:TaxExemptionReason') !== undefined,
    ...taxOf(xml, 'TaxCategory'),
  };
}

function taxOf(xml: string, name: string): Taxed {
  const [category = ''] = elements(xml, name);
  const percent = textIn(category, 'cbc:Percent');
  return {
    category: textIn(category, 'cbc:ID') ?? '',
    rate: percent === undefined ? null : Math.round(Number(percent) * 100),
  };
}

/** One part of the VAT: the standard rate has one for each rate. */
function groupOf({ category, rate }: Taxed): string {
  return category === 'S' ? `S ${rate}` : category;
}

function and(found: Map<string, boolean>, rule: string, holds: boolean): void {
  found.set(rule, (found.get(rule) ?? true) && holds);
}

/** The contents of the elements of a name that do not lie in each other. */
function elements(xml: string, name: string): string[] {
  const pattern = new RegExp(`<cac:(${name})>([\\s\\S]*?)</cac:\\1>`, 'g');
  return [...xml.matchAll(pattern)].map(([, , content = '']) => content);
}

function textIn(xml: string, name: string): string | undefined {
  return new RegExp(`<(${name})(?: [^>]*)?>([^<]*)<`).exec(xml)?.[2];
}

/** In hundredths of the currency. */
function amountIn(xml: string, name: string): number | undefined {
  const text = textIn(xml, `cbc:${name}`);
  return text === undefined || !isAmount(text) ? undefined : Math.round(Number(text) * 100);
}

function isAmount(text: string): boolean {
  return /^-?\d+(\.\d{1,2})?$/.test(text);
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
