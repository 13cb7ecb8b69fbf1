/**
 * Builds an element. Children are elements or text; null, false and empty text are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | null | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * A drawing that says nothing to a screen reader: the words beside it do.
 *
 * @param {string} className
 * @param {string} viewBox
 * @param {...[tag: string, attributes: Record<string, string>]} shapes
 */
export function drawing(className, viewBox, ...shapes) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', viewBox);
  svg.setAttribute('class', className);
  svg.setAttribute('aria-hidden', 'true');
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    svg.append(shape);
  }
  return svg;
}

const SVG = 'http://www.w3.org/2000/svg';
