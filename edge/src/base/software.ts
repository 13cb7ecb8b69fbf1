import { VERSION } from '@hlid/protocol/base/version';

/** The daemon's name and version, for the cloud and on its health page. */
export const SOFTWARE = `hlid-edge/${VERSION}`;
