declare module 'autocannon' {
  type Request = { headers?: Record<string, string> }
  type Options = {
    url: string
    connections: number
    duration: number
    /** Requests per second, over all connections. */
    overallRate?: number
    timeout?: number
    workers?: number
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: string
    requests?: { setupRequest(request: Request): Request }[]
  }
  type Result = {
    duration: number
    errors: number
    timeouts: number
    requests: { total: number }
    latency: { p99: number }
    statusCodeStats: Record<string, { count: number }>
  }
  export default function autocannon(options: Options): Promise<Result>
}
