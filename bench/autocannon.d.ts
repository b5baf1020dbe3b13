declare module 'autocannon' {
  type Request = { headers?: Record<string, string> }
  type Options = Request & {
    url: string
    connections?: number
    duration?: number
    method?: 'GET' | 'POST'
    requests?: { setupRequest(request: Request): Request }[]
  }
  type Result = { duration: number; errors: number; requests: { total: number }; statusCodeStats: object }
  export default function autocannon(options: Options): Promise<Result>
}
