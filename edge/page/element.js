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

/** @typedef {[tag: string, attributes: Record<string, string>, ...children: Shape[]]} Shape */

/**
 * A drawing that screen readers skip: the text beside it has the meaning.
 *
 * @param {string} className
 * @param {string} viewBox
 * @param {...Shape} shapes
 */
export function drawing(className, viewBox, ...shapes) {
  return shapeElement(['svg', { viewBox, class: className, 'aria-hidden': 'true' }, ...shapes]);
}

/**
 * @param {Shape} shape
 * @returns {SVGElement}
 */
function shapeElement([tag, attributes, ...children]) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map(shapeElement));
  return made;
}
