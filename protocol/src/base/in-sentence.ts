/** A text that stands alone elsewhere, such as `Payment due`, inside a sentence. */
export function inSentence(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
