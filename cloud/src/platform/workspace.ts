/** The folder of the cloud's workspace, with a slash at the end: from source, built, and bundled alike. */
export const WORKSPACE = new URL('../../', import.meta.url);
