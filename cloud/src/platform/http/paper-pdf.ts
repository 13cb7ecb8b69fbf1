import { once } from 'node:events';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import PDFDocument, { type StructureElement } from 'pdfkit';
import type { Fact, Paper, PaperRow } from './paper.ts';
import { qrSquares } from './qr-svg.ts';

/** The files of the typeface of our pages, in its package. */
const { resolve } = createRequire(import.meta.url);
const FONTS = {
  regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};

/** A4 in points, with 20 mm around it. */
const MARGIN = 57;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN;
const INK = '#14202b';
const SOFT = '#4a5a68';
const RULE = '#d5dce2';
const LINK = '#0b5cad';
const MARK = '#8a4b00';
const MOODS = { paid: '#0b6b3a', refunded: '#8a4b00', checking: '#8a4b00', 'not-paid': '#8a4b00' };
const QR_SIZE = 96;
/** The pictures that PDF has; others are left out, as the mark of a page is. */
const PICTURE = /^data:image\/(?:png|jpeg);base64,/;

/**
 * A paper as a tagged PDF file (PDF/UA-1): screen readers read it in its order, tables with their headings. The same
 * paper of the same day is the same file.
 *
 * @param madeAt the time in the file, such as when an invoice was issued
 */
export async function paperPdf(paper: Paper, madeAt: Date): Promise<Uint8Array<ArrayBuffer>> {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN },
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    displayTitle: true,
    lang: paper.language,
    bufferPages: true,
    font: FONTS.regular,
    info: { Title: paper.title, CreationDate: madeAt, ModDate: madeAt, Producer: 'Hlið', Creator: 'Hlið' },
  });
  // As a number it would add the CIDSet of each font, without the parts of composed letters such as `Á`:
  // PDF/UA forbids a set that is not complete (ISO 14289-1, 7.21.4.2), and does not ask for one.
  doc.subset = '1';
  const file = buffer(doc);
  const failed = once(doc, 'error').then(([error]) => Promise.reject(error));
  new PaperWriter(doc, paper).write();
  doc.end();
  return new Uint8Array(await Promise.race([file, failed]));
}

/** A cell of a table, or of a list of facts. */
interface Cell {
  text: string;
  /** Smaller, each on a line of its own. */
  notes?: readonly string[];
  /** A share of the width. */
  width: number;
  align?: 'left' | 'right';
  bold?: boolean;
  colour?: string;
}

/** A row: the first cell is its heading. */
interface Row {
  cells: readonly [Cell, Cell];
  size?: number;
}

class PaperWriter {
  readonly #doc: PDFDocument;
  readonly #paper: Paper;
  readonly #root: StructureElement;

  constructor(doc: PDFDocument, paper: Paper) {
    this.#doc = doc;
    this.#paper = paper;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  write(): void {
    const { mark, logo, heading, standing, amount, facts, below, howToPay, address } = this.#paper;
    if (mark !== null) this.#block('P', mark, { size: 14, bold: true, colour: MARK, after: 8 });
    if (logo !== undefined && PICTURE.test(logo)) this.#logo(logo);
    this.#block('H1', heading, { size: 18, bold: true, after: 6 });
    if (standing !== null) {
      this.#block('P', standing.text, { size: 11, bold: true, colour: MOODS[standing.mood], after: 2 });
    }
    this.#block('P', amount, { size: 24, bold: true, after: 12 });
    this.#facts(facts);
    this.#amounts();
    this.#facts(below);
    if (howToPay !== null) this.#howToPay(howToPay);
    // One code is enough for a reader: that of the page where it is paid.
    if (address !== null) this.#address(address, howToPay?.page == null);
    this.#root.end();
    this.#marginTexts();
  }

  #logo(logo: string): void {
    const bytes = Buffer.from(logo.replace(PICTURE, ''), 'base64');
    const { y } = this.#doc;
    this.#artifact(() => this.#doc.image(bytes, MARGIN, y, { fit: [140, 44] }));
    this.#doc.y = y + 54;
  }

  /** A text in an element of its own, over the whole width. */
  #block(
    type: 'H1' | 'H2' | 'P',
    text: string,
    look: { size: number; bold?: boolean; colour?: string; after: number },
  ): void {
    this.#room(look.size * 2);
    const { y } = this.#doc;
    this.#root.add(
      this.#doc.struct(type, () => {
        this.#style(look.size, look.bold ?? false, look.colour ?? INK);
        this.#doc.text(`${text} `, MARGIN, y, { width: WIDTH });
      }),
    );
    this.#doc.y += look.after;
  }

  /** Names and values: a table whose rows have headings. */
  #facts(facts: readonly Fact[]): void {
    if (facts.length === 0) return;
    this.#rule();
    const table = this.#table();
    for (const [name, value] of facts) {
      const heading = { text: name, width: 0.35, colour: SOFT };
      this.#row(table, { cells: [heading, { text: value, width: 0.65 }] });
    }
    table.end();
    this.#doc.y += 12;
  }

  #amounts(): void {
    const { what, amount, rows, total, parts } = this.#paper.table;
    const table = this.#table();
    const head = amountRow({ what, notes: [], amount }, { colour: SOFT, size: 9 });
    this.#row(table, head, 'Column');
    this.#rule();
    for (const row of rows) {
      // The headings stand again on each page, for the eye: the table has them already.
      if (this.#room(this.#heightOf(amountRow(row)))) this.#artifact(() => this.#draw(head));
      this.#row(table, amountRow(row));
    }
    this.#rule();
    this.#row(table, amountRow({ ...total, notes: [] }, { bold: true, size: 12 }));
    for (const part of parts) this.#row(table, amountRow({ ...part, notes: [] }, { colour: SOFT }));
    table.end();
    this.#doc.y += 12;
  }

  #howToPay({ heading, facts, page }: NonNullable<Paper['howToPay']>): void {
    this.#room(QR_SIZE * 2);
    this.#block('H2', heading, { size: 13, bold: true, after: 6 });
    this.#facts(facts);
    if (page === null) return;
    this.#link(page.text, page.url);
    this.#code(page.url);
    this.#block('P', page.note, { size: 10, after: 8 });
  }

  #link(text: string, url: string): void {
    const { y } = this.#doc;
    const paragraph = this.#doc.struct('P');
    const link = this.#doc.struct('Link');
    this.#root.add(paragraph);
    paragraph.add(link);
    link.add(() => {
      this.#style(10, true, LINK);
      this.#doc.text(`${text} `, MARGIN, y, { width: WIDTH, underline: true });
    });
    const height = this.#doc.y - y;
    this.#doc.link(MARGIN, y, this.#doc.widthOfString(text), height, url, {
      structParent: link,
      // pdfkit writes only text objects as text.
      Contents: new String(text),
    });
    link.end();
    paragraph.end();
    this.#doc.y += 8;
  }

  #address(address: string, withCode: boolean): void {
    if (withCode) this.#code(address);
    else this.#block('P', address, { size: 8, colour: SOFT, after: 10 });
  }

  /** An address for a reader with the paper in hand. */
  #code(address: string): void {
    this.#room(QR_SIZE + 24);
    const { y } = this.#doc;
    const { size, path } = qrSquares(address);
    const box: [number, number, number, number] = [MARGIN, y, MARGIN + QR_SIZE, y + QR_SIZE];
    this.#root.add(
      this.#doc.struct('Figure', { alt: `QR: ${address}`, bbox: box }, () => {
        this.#doc
          .save()
          .translate(MARGIN, y)
          .scale(QR_SIZE / size)
          .path(path)
          .fill(INK)
          .restore();
      }),
    );
    this.#doc.y = y + QR_SIZE + 4;
    this.#block('P', address, { size: 8, colour: SOFT, after: 10 });
  }

  /** The mark above each page after the first, which has it as its first text; the number below each of several. */
  #marginTexts(): void {
    const { mark } = this.#paper;
    const { start, count } = this.#doc.bufferedPageRange();
    if (count < 2) return;
    for (let page = start; page < start + count; page++) {
      this.#doc.switchToPage(page);
      // Outside the margins a text would begin a new page.
      this.#doc.page.margins.bottom = 0;
      this.#artifact(() => {
        this.#style(8, false, SOFT);
        const text = `${page - start + 1} / ${count}`;
        this.#doc.text(text, MARGIN, BOTTOM + 16, { width: WIDTH, align: 'right', lineBreak: false });
      });
      if (mark === null || page === start) continue;
      this.#artifact(() => {
        this.#style(10, true, MARK);
        this.#doc.text(mark, MARGIN, MARGIN / 2, { width: WIDTH, lineBreak: false });
      });
    }
  }

  #table(): StructureElement {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    return table;
  }

  /** @param scope of the headings in it: the first cell heads its row, in the first row each heads its column */
  #row(table: StructureElement, row: Row, scope: 'Row' | 'Column' = 'Row'): void {
    this.#room(this.#heightOf(row));
    const { y } = this.#doc;
    const element = this.#doc.struct('TR');
    table.add(element);
    for (const n of row.cells.keys()) {
      const isHeading = n === 0 || scope === 'Column';
      const draw = () => this.#cell(row, n, y);
      element.add(isHeading ? this.#doc.struct('TH', { scope }, draw) : this.#doc.struct('TD', draw));
    }
    element.end();
    this.#doc.y = y + this.#heightOf(row);
  }

  #draw(row: Row): void {
    const { y } = this.#doc;
    for (const n of row.cells.keys()) this.#cell(row, n, y);
    this.#doc.y = y + this.#heightOf(row);
  }

  #cell({ cells, size = 10 }: Row, n: number, y: number): void {
    const cell = cells[n];
    if (cell === undefined) return;
    const left = cells.slice(0, n).reduce((sum, { width }) => sum + width * WIDTH, MARGIN);
    const options = { width: cell.width * WIDTH - GAP, align: cell.align ?? 'left' };
    this.#style(size, cell.bold ?? false, cell.colour ?? INK);
    this.#doc.text(`${cell.text} `, left + (cell.align === 'right' ? GAP : 0), y + PADDING, options);
    for (const note of cell.notes ?? []) {
      this.#style(8.5, false, SOFT);
      this.#doc.text(`${note} `, left, this.#doc.y, options);
    }
  }

  #heightOf({ cells, size = 10 }: Row): number {
    const heights = cells.map((cell) => {
      const options = { width: cell.width * WIDTH - GAP };
      this.#style(size, cell.bold ?? false, INK);
      let height = this.#doc.heightOfString(`${cell.text} `, options);
      this.#style(8.5, false, SOFT);
      for (const note of cell.notes ?? []) height += this.#doc.heightOfString(`${note} `, options);
      return height;
    });
    return Math.max(...heights) + 2 * PADDING;
  }

  /** Begins a new page where that height is not left. @returns whether it did */
  #room(height: number): boolean {
    if (this.#doc.y + height <= BOTTOM) return false;
    this.#doc.addPage();
    return true;
  }

  #rule(): void {
    this.#artifact(() => {
      const { y } = this.#doc;
      this.#doc
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + WIDTH, y)
        .lineWidth(0.75)
        .stroke(RULE);
    });
    this.#doc.y += 3;
  }

  /** Draws marks for the eye alone: screen readers leave them out. */
  #artifact(draw: () => void): void {
    this.#doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.#doc.endMarkedContent();
  }

  #style(size: number, bold: boolean, colour: string): void {
    this.#doc
      .font(bold ? FONTS.bold : FONTS.regular)
      .fontSize(size)
      .fillColor(colour);
  }
}

/** Space between two columns, and above and below a row. */
const GAP = 8;
const PADDING = 3;

function amountRow(
  { what, notes, amount }: PaperRow,
  { size = 10, ...look }: { size?: number; bold?: boolean; colour?: string } = {},
): Row {
  return {
    cells: [
      { text: what, notes, width: 0.72, ...look },
      { text: amount, width: 0.28, align: 'right', ...look },
    ],
    size,
  };
}
