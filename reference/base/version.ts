/** Version of the reference service: that of the package. */
export const version = '0.1.0'
