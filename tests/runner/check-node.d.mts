export function refuseNode(version: string, range: string): string | null;
