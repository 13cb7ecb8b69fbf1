/** The part of pdfkit 0.20 that papers use. The types that others publish know neither PDF/UA nor drawing in elements. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  type Draw = () => void;

  interface ElementOptions {
    alt?: string;
    scope?: 'Row' | 'Column';
    /** Left, top, right and bottom, in points from the top left corner of the page. */
    bbox?: readonly [number, number, number, number];
  }

  export interface StructureElement {
    add(child: StructureElement | Draw): this;
    end(): void;
  }

  interface TextOptions {
    width?: number;
    align?: 'left' | 'right';
    underline?: boolean;
    lineBreak?: boolean;
  }

  interface LinkOptions {
    structParent: StructureElement;
    /** What it leads to, for those who do not see it. */
    Contents: object;
  }

  interface DocumentOptions {
    size: 'A4';
    margins: { top: number; right: number; bottom: number; left: number };
    pdfVersion: '1.7';
    subset: 'PDF/UA';
    tagged: true;
    displayTitle: true;
    lang: string;
    bufferPages: true;
    /** The path of a font file. */
    font: string;
    info: { Title: string; CreationDate: Date; ModDate: Date; Producer: string; Creator: string };
  }

  export default class PDFDocument extends Readable {
    constructor(options: DocumentOptions);
    y: number;
    /** The part of the standard. */
    subset: string;
    readonly page: { margins: { bottom: number } };
    addPage(): this;
    bufferedPageRange(): { start: number; count: number };
    switchToPage(page: number): void;
    font(path: string): this;
    fontSize(size: number): this;
    fillColor(colour: string): this;
    text(text: string, x: number, y: number, options: TextOptions): this;
    heightOfString(text: string, options: TextOptions): number;
    widthOfString(text: string): number;
    link(x: number, y: number, width: number, height: number, url: string, options: LinkOptions): this;
    image(bytes: Buffer, x: number, y: number, options: { fit: readonly [number, number] }): this;
    save(): this;
    restore(): this;
    translate(x: number, y: number): this;
    scale(factor: number): this;
    path(svg: string): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    lineWidth(width: number): this;
    fill(colour: string): this;
    stroke(colour: string): this;
    struct(type: string, draw?: Draw): StructureElement;
    struct(type: string, options: ElementOptions, draw?: Draw): StructureElement;
    addStructure(element: StructureElement): this;
    markContent(tag: 'Artifact', options: { type: 'Layout' }): this;
    endMarkedContent(): this;
    end(): void;
  }
}
