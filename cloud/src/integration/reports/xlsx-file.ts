import { DAY_MS } from '@hlid/protocol/base/durations';
import { amountText } from '@hlid/protocol/base/money';
import type { SheetCell, SheetPlan } from '../../platform/http/sheet-cell.ts';
import {
  columnName,
  contentTypes,
  formatOf,
  type NumberCell,
  PACKAGE_RELATIONS,
  SHEET_END,
  sheetBegin,
  sheetPath,
  styles,
  workbook,
  workbookRelations,
  xmlText,
} from './xlsx-parts.ts';
import { type ZippedFile, ZipStream } from './zip-stream.ts';

/**
 * The rows of a sheet (ECMA-376 has no limit, every program has this one); the rest goes on a further sheet.
 */
const SHEET_ROWS = 1_048_576;

/** 30 December 1899, from which spreadsheets count days. */
const DAYS_TO_1970 = 25_569;

/** A workbook (.xlsx) written as its rows come: whatever its length, a page of rows is all that is in memory. */
export async function* xlsxFile(
  plan: SheetPlan,
  pages: AsyncIterable<readonly (readonly SheetCell[])[]>,
  sheetRows = SHEET_ROWS,
): AsyncGenerator<Uint8Array> {
  const columns = plan.columns.map((_, at) => columnName(at));
  const zip = new ZipStream();
  zip.add('_rels/.rels', PACKAGE_RELATIONS);
  let sheets = 0;
  let row = 0;
  let sheet: ZippedFile | null = null;
  const begin = () => {
    sheets++;
    row = 1;
    const begun = zip.begin(sheetPath(sheets));
    begun.add(sheetBegin(plan, sheets === 1));
    return begun;
  };
  sheet = begin();
  for await (const page of pages) {
    let rest = page;
    while (rest.length > 0) {
      if (row === sheetRows) {
        close(sheet);
        sheet = begin();
      }
      const fitting = rest.slice(0, sheetRows - row);
      const first = row + 1;
      sheet.add(fitting.map((cells, at) => rowXml(cells, first + at, columns)).join(''));
      row += fitting.length;
      rest = rest.slice(fitting.length);
    }
    yield zip.take();
  }
  close(sheet);
  zip.add('xl/styles.xml', styles());
  zip.add('xl/workbook.xml', workbook(plan.name, sheets));
  zip.add('xl/_rels/workbook.xml.rels', workbookRelations(sheets));
  zip.add('[Content_Types].xml', contentTypes(sheets));
  zip.end();
  yield zip.take();
}

function close(sheet: ZippedFile): void {
  sheet.add(SHEET_END);
  sheet.end();
}

function rowXml(cells: readonly SheetCell[], row: number, columns: readonly string[]): string {
  let xml = `<row r="${row}">`;
  for (const [at, cell] of cells.entries()) {
    if (cell !== null) xml += cellXml(cell, `${columns[at]}${row}`);
  }
  return `${xml}</row>`;
}

function cellXml(cell: Exclude<SheetCell, null>, place: string): string {
  if (typeof cell === 'string' || cell.kind === 'code') {
    const text = typeof cell === 'string' ? cell : cell.code;
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
  }
  return `<c r="${place}" s="${formatOf(cell)}"><v>${numberOf(cell)}</v></c>`;
}

function numberOf(cell: NumberCell): string {
  switch (cell.kind) {
    case 'count':
      return String(cell.count);
    case 'average':
      return String(cell.average);
    case 'moment':
      return String(cell.wallMs / DAY_MS + DAYS_TO_1970);
    case 'duration':
      return String(cell.ms / DAY_MS);
    case 'money':
      return amountText(cell, '.');
    default:
      return cell satisfies never;
  }
}
