/** Paths of uploads, for faults that stand in front of them. */
export const uploads = /\/blobs\/uploads\/$/
export const session = /\/blobs\/uploads\/[^/]+$/
export const uploading = /\/blobs\/uploads\/[^/]*$/
