// Tests the format of the metrics, letter by letter. MonitoringTests reads them with Prometheus' own tools.

import PassProtocol
import Testing

@testable import PassServer

@Suite struct MetricsTextTests {
    private static var families: [MetricSamples] {
        var histogram = LatencyHistogram()
        histogram.add(.milliseconds(300))
        return [
            MetricSamples(.up, 1), MetricSamples(.build, [["0.1", "v2"]: 1]),
            MetricSamples(.clockOffset, seconds: .milliseconds(-1500)), MetricSamples(.reachable, nil),
            MetricSamples(.failedCalls, [["B"]: 2, ["A\"\\\n"]: 1]),
            MetricSamples(.requestDuration, [(["GET /a/{b}"], .histogram(histogram))]),
        ]
    }

    @Test func `families are declared with the names of their samples`() {
        let text = MetricsText.text(of: Self.families)
        #expect(
            text.hasPrefix(
                #"""
                # TYPE passd_up gauge
                # HELP passd_up 1: the daemon answered; 0: passd-cli got no answer.
                passd_up 1
                # TYPE passd_build_info gauge
                # HELP passd_build_info passd's version, and the protocol with the service.
                passd_build_info{version="0.1",protocol="v2"} 1
                # TYPE passd_clock_offset_seconds gauge
                # HELP passd_clock_offset_seconds How far the service's clock is ahead of the box's; absent if unknown.
                passd_clock_offset_seconds -1.5
                # TYPE passd_failed_calls_total counter
                # HELP passd_failed_calls_total Calls that failed, by the name of the error.
                passd_failed_calls_total{name="A\"\\\n"} 1
                passd_failed_calls_total{name="B"} 2
                # TYPE passd_request_duration_seconds histogram
                # HELP passd_request_duration_seconds Time from sending a request to its answer or failure.
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="0.025"} 0

                """#), "\(text)")
        #expect(
            text.hasSuffix(
                #"""
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="0.25"} 0
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="0.5"} 1
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="1.0"} 1
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="2.5"} 1
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="5.0"} 1
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="10.0"} 1
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="30.0"} 1
                passd_request_duration_seconds_bucket{endpoint="GET /a/{b}",le="+Inf"} 1
                passd_request_duration_seconds_sum{endpoint="GET /a/{b}"} 0.3
                passd_request_duration_seconds_count{endpoint="GET /a/{b}"} 1

                """#), "\(text)")
    }

    @Test func `every sample of an instance has the instance's name before its other labels`() {
        let text = MetricsText.text(of: Self.families, instance: InstanceName("room1"))
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples.allSatisfy { $0.contains("{box=\"room1\"") }, "\(samples)")
        #expect(samples.contains("passd_up{box=\"room1\"} 1"))
        #expect(samples.contains("passd_failed_calls_total{box=\"room1\",name=\"B\"} 2"))
        #expect(!MetricFamily.all.contains { $0.labels.contains(Metrics.instanceLabel) })
    }

    @Test func `no family is in the table twice, and every unit ends a name`() {
        let names = MetricFamily.all.flatMap(\.sampleNames)
        #expect(Set(names).count == names.count)
        for family in MetricFamily.all {
            #expect(family.help.hasSuffix(".") && !family.help.contains("\n"), "\(family.name)")
        }
    }
}
