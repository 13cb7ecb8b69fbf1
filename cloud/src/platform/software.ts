import { VERSION } from '@hlid/protocol/base/version';

/** The cloud's name and version. */
export const SOFTWARE = `hlid-cloud/${VERSION}`;
