import { type Document, isAlias, isCollection, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';

type Path = readonly (string | number)[];

/**
 * A YAML file that a program changes for a person: it changes values by their keys, and comments, order and everything
 * that it does not name stay as they are. The file is to be valid YAML (`readYaml` names the mistakes).
 */
export class EditedYaml {
  readonly #document: Document;
  readonly #indentSeq: boolean;

  constructor(text: string) {
    this.#document = parseDocument(text);
    // Lists have their dashes below their key, as this file has them.
    this.#indentSeq = !/^[\w-]+:[^\S\n]*\n- /m.test(text);
  }

  /** The value as the reader of the file gets it; undefined: it is missing. */
  get(path: Path): unknown {
    let value: unknown = this.#document.toJS();
    for (const step of path) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = Reflect.get(value, step);
    }
    return value;
  }

  /**
   * Sets a value; an object sets the keys that it names, and removes those that are undefined. What is equal already keeps
   * the way in which it is written.
   */
  set(path: Path, value: unknown): void {
    if (value === undefined) {
      this.remove(path);
      return;
    }
    const present = this.get(path);
    if (isPlainObject(value) && isPlainObject(present)) {
      for (const [key, each] of Object.entries(value)) this.set([...path, key], each);
      return;
    }
    if (JSON.stringify(present) === JSON.stringify(value)) return;
    this.#ownPath(path);
    const node = this.#document.getIn(path, true);
    // The scalar's comment belongs to its key, and stays.
    if (isScalar(node) && !isPlainObject(value) && !Array.isArray(value)) node.value = value;
    else this.#document.setIn(path, this.#document.createNode(withoutUndefined(value)));
  }

  /** Sets a value in place of whatever stands there. */
  replace(path: Path, value: unknown): void {
    if (JSON.stringify(this.get(path)) === JSON.stringify(value)) return;
    if (isPlainObject(this.get(path))) {
      const node = isPlainObject(value) ? value : {};
      for (const key of Object.keys(Object(this.get(path)))) if (!(key in node)) this.remove([...path, key]);
    }
    this.set(path, value);
  }

  /** Adds an entry to a list, which is made where there is none. */
  add(path: Path, entry: unknown): void {
    this.#ownPath(path);
    const list = this.#document.getIn(path, true);
    if (isSeq(list) && list.items.length > 0) {
      list.add(this.#document.createNode(withoutUndefined(entry)));
      return;
    }
    this.#document.setIn(path, this.#document.createNode([withoutUndefined(entry)]));
  }

  remove(path: Path): void {
    if (this.get(path) === undefined) return;
    this.#ownPath(path);
    this.#document.deleteIn(path);
  }

  text(): string {
    return this.#document.toString({ lineWidth: 0, indentSeq: this.#indentSeq });
  }

  /**
   * Copies a value that is shared with another place (`*name`), so that a change here changes nothing there.
   */
  #ownPath(path: Path): void {
    for (let length = 0; length < path.length; length++) {
      const node = this.#document.getIn(path.slice(0, length), true);
      const step = path[length];
      if (!isCollection(node) || step === undefined) return;
      const next = node.get(step, true);
      if (!isAlias(next)) continue;
      const copy = next.resolve(this.#document)?.clone();
      if (!isNode(copy) || isAlias(copy)) return;
      delete copy.anchor;
      // The pair is replaced, so that the key keeps its comment.
      const pair = isMap(node) ? node.items.find(({ key }) => keyOf(key) === step) : undefined;
      if (pair) pair.value = copy;
      else node.set(step, copy);
    }
  }
}

const keyOf = (key: unknown) => (isScalar(key) ? key.value : key);

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isPlainObject(value)) return value;
  const present = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(present.map(([key, each]) => [key, withoutUndefined(each)]));
}
