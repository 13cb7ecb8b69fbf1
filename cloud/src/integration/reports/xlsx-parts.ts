import { minorUnitDigits } from '@hlid/protocol/base/money';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';

// Parts of a workbook by ECMA-376 (Office Open XML), as little of it as every reader takes.

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Cell formats, in the order of `cellXfs` below. */
const FORMATS = [
  { name: 'plain', format: 0 },
  { name: 'header', format: 0 },
  { name: 'moment', format: 164, code: 'yyyy\\-mm\\-dd\\ hh:mm' },
  { name: 'duration', format: 165, code: '[h]:mm' },
  { name: 'count', format: 3 },
  // Amounts by the decimals of their currency.
  { name: 'money0', format: 3 },
  { name: 'money2', format: 4 },
  { name: 'money3', format: 166, code: '#,##0.000' },
  { name: 'money4', format: 167, code: '#,##0.0000' },
  { name: 'average', format: 4 },
] as const;
type Format = (typeof FORMATS)[number]['name'];

const HEADER = FORMATS.findIndex(({ name }) => name === 'header');

/** A cell that is a number. */
export type NumberCell = Exclude<SheetCell, null | string | { kind: 'code' }>;

/** The format of a cell. */
export function formatOf(cell: NumberCell): number {
  const name: Format | `money${number}` =
    cell.kind === 'money' ? `money${minorUnitDigits(cell.currency)}` : cell.kind;
  return FORMATS.findIndex((format) => format.name === name);
}

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

export const PACKAGE_RELATIONS = `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export function contentTypes(sheets: number): string {
  const parts = [
    ['/xl/workbook.xml', `${CONTENT}.sheet.main+xml`],
    ['/xl/styles.xml', `${CONTENT}.styles+xml`],
    ...numbers(sheets).map((number) => [`/${sheetPath(number)}`, `${CONTENT}.worksheet+xml`]),
  ];
  const overrides = parts.map(([path, type]) => `<Override PartName="${path}" ContentType="${type}"/>`);
  return `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

export function workbook(name: string, sheets: number): string {
  const named = numbers(sheets).map((number) => {
    const title = number === 1 ? name : `${name} ${number}`;
    return `<sheet name="${xmlText(title)}" sheetId="${number}" r:id="rId${number}"/>`;
  });
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${named.join('')}</sheets></workbook>`;
}

export function workbookRelations(sheets: number): string {
  const toSheets = numbers(sheets).map(
    (number) =>
      `<Relationship Id="rId${number}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  return `${HEAD}<Relationships xmlns="${RELATIONS}">${toSheets.join('')}<Relationship Id="rId${sheets + 1}" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`;
}

export function styles(): string {
  const codes = FORMATS.flatMap((format) =>
    'code' in format ? [`<numFmt numFmtId="${format.format}" formatCode="${xmlText(format.code)}"/>`] : [],
  );
  const cells = FORMATS.map(({ name, format }) =>
    name === 'header'
      ? '<xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/>'
      : `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  // The first two fills are the program's own, whatever they contain.
  return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${codes.length}">${codes.join('')}</numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF2"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** All of a sheet before its rows: the header stays in sight, columns have their widths. */
export function sheetBegin({ columns }: SheetPlan, isFirst: boolean): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const headers = columns.map(
    ({ header }, at) =>
      `<c r="${columnName(at)}1" s="${HEADER}" t="inlineStr"><is><t>${xmlText(header)}</t></is></c>`,
  );
  const selected = isFirst ? ' tabSelected="1"' : '';
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${selected} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols><sheetData><row r="1">${headers.join('')}</row>`;
}

export const SHEET_END = '</sheetData></worksheet>';

/** `A` to `Z`, `AA` … */
export function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${columnName(Math.floor(at / 26) - 1)}${letter}`;
}

const MAX_TEXT = 32_767;
const SPECIAL = /[&<>"]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/gi;

/** Text within XML. What XML cannot hold is spelled `_x001F_` (ECMA-376, ST_Xstring). */
export function xmlText(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(UNWRITABLE, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(SPECIAL, (found) => ENTITIES[found] ?? '');
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
