// Command keda-client makes the five calls of an external scaler as KEDA does, by the client that KEDA generates
// from its protocol, and prints what came back as one line of JSON.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	pb "github.com/kedacore/keda/v2/pkg/scalers/externalscaler"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// patience is how long all calls together may take.
const patience = 30 * time.Second

// reply is what one call gave: a message or an error.
type reply struct {
	Message json.RawMessage `json:"message,omitempty"`
	Code    string          `json:"code,omitempty"`
	Error   string          `json:"error,omitempty"`
}

func main() {
	address := flag.String("address", "", "host and port of the scaler")
	ca := flag.String("ca", "", "file with the authorities of its certificate")
	cert := flag.String("cert", "", "file with the client's certificate")
	key := flag.String("key", "", "file with its key")
	metric := flag.String("metric", "", "name of the metric to ask for")
	flag.Parse()
	if flag.NArg() < 2 {
		fail(fmt.Errorf("give the namespace and the name of a ScaledObject, and the trigger's metadata as KEY=VALUE"))
	}
	config, err := transport(*ca, *cert, *key)
	if err != nil {
		fail(err)
	}
	connection, err := grpc.NewClient(*address, grpc.WithTransportCredentials(credentials.NewTLS(config)),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin":{}}]}`))
	if err != nil {
		fail(err)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	replies := ask(ctx, pb.NewExternalScalerClient(connection), object(flag.Args()), *metric)
	if err := json.NewEncoder(os.Stdout).Encode(replies); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "keda-client:", err)
	os.Exit(1)
}

// transport trusts the authorities of a file and shows a certificate.
func transport(ca, cert, key string) (*tls.Config, error) {
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate", ca)
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	return &tls.Config{RootCAs: authorities, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

// object is a ScaledObject with a trigger's metadata, from arguments.
func object(arguments []string) *pb.ScaledObjectRef {
	metadata := map[string]string{}
	for _, each := range arguments[2:] {
		name, value, _ := strings.Cut(each, "=")
		metadata[name] = value
	}
	return &pb.ScaledObjectRef{Namespace: arguments[0], Name: arguments[1], ScalerMetadata: metadata}
}

// ask makes each call once; of a stream it takes the first message.
func ask(ctx context.Context, scaler pb.ExternalScalerClient, object *pb.ScaledObjectRef, metric string) map[string]reply {
	specs, specsErr := scaler.GetMetricSpec(ctx, object)
	values, valuesErr := scaler.GetMetrics(ctx, &pb.GetMetricsRequest{ScaledObjectRef: object, MetricName: metric})
	active, activeErr := scaler.IsActive(ctx, object)
	var first *pb.IsActiveResponse
	stream, streamErr := scaler.StreamIsActive(ctx, object)
	if streamErr == nil {
		first, streamErr = stream.Recv()
	}
	var streamed *pb.GetMetricSpecResponse
	specStream, specStreamErr := scaler.StreamMetricSpec(ctx, object)
	if specStreamErr == nil {
		streamed, specStreamErr = specStream.Recv()
	}
	return map[string]reply{
		"GetMetricSpec":    replyOf(specs, specsErr),
		"GetMetrics":       replyOf(values, valuesErr),
		"IsActive":         replyOf(active, activeErr),
		"StreamIsActive":   replyOf(first, streamErr),
		"StreamMetricSpec": replyOf(streamed, specStreamErr),
	}
}

func replyOf(message proto.Message, err error) reply {
	if err != nil {
		said := status.Convert(err)
		return reply{Code: said.Code().String(), Error: said.Message()}
	}
	text, err := protojson.MarshalOptions{EmitUnpopulated: true}.Marshal(message)
	if err != nil {
		return reply{Code: "Unreadable", Error: err.Error()}
	}
	return reply{Message: text}
}
