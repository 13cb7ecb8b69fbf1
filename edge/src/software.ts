/** What this program calls itself towards the cloud and on its health page; goes up with each release. */
export const SOFTWARE = 'hlid-edge/0.1.0';
