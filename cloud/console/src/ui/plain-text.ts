/** The text without accents and capitals, as people type in a hurry. */
export function plainText(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
