/**
 * Lets a browser translate a page of React. A translator takes text nodes out of the document and puts
 * `<font>` elements with its own text in their place. React still holds the text nodes: it writes into them,
 * which shows nothing, and removes them, which throws. So if React writes into a node that was taken out, the
 * node goes back, and the translator translates it again. If React removes it or inserts before it, this is
 * done to the element in its place.
 */
export function allowTranslation(document: Document): void {
  const standIns = new Map<Node, WeakRef<Node>>();
  const view = document.defaultView;
  if (view === null) return;

  const texts = new view.MutationObserver((records) => {
    for (const { target } of records) putBack(target);
  });
  const tree = new view.MutationObserver((records) => {
    for (const record of records) {
      const standIn = standInOf(record);
      if (standIn === null) continue;
      for (const text of record.removedNodes) {
        if (text.nodeType !== view.Node.TEXT_NODE || text.isConnected) continue;
        standIns.set(text, new WeakRef(standIn));
        texts.observe(text, { characterData: true });
      }
    }
    // Nodes are dropped when their place is gone.
    for (const [text, place] of standIns) if (!place.deref()?.isConnected) standIns.delete(text);
  });
  tree.observe(document.documentElement, { childList: true, subtree: true });

  /** The node in the document at the place of a child that was taken out or wrapped; null: none. */
  const placeOf = (child: Node, parent: Node): ChildNode | null => {
    let place: Node | null = child.isConnected ? child : (standIns.get(child)?.deref() ?? null);
    while (place !== null && place.parentNode !== parent) place = place.parentNode;
    return place instanceof view.Element || place instanceof view.Text ? place : null;
  };

  const putBack = (text: Node) => {
    const place = standIns.get(text)?.deref();
    if (text.isConnected || place === undefined || place.parentNode === null) return;
    place.parentNode.replaceChild(text, place);
    standIns.delete(text);
  };

  const { removeChild, insertBefore } = view.Node.prototype;
  view.Node.prototype.removeChild = function remove<Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode === this) return removeChild.call(this, child) as Child;
    const place = placeOf(child, this);
    standIns.delete(child);
    if (place !== null) removeChild.call(this, place);
    return child;
  };
  view.Node.prototype.insertBefore = function insert<Child extends Node>(
    this: Node,
    child: Child,
    before: Node | null,
  ): Child {
    const place = before === null || before.parentNode === this ? before : placeOf(before, this);
    return insertBefore.call(this, child, place) as Child;
  };
}

/** The element of the translator that came when these nodes went; null: it was not the translator. */
function standInOf({ addedNodes, previousSibling, nextSibling }: MutationRecord): Node | null {
  return [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT') ?? null;
}
