/** Why this project does not run on a version of Node.js, in one sentence; null: it does. */
export type NodeRefusal = string | null;

export function refuseNode(version: string, range: string): NodeRefusal;
